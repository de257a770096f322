#ifndef INTERPLAY_MATH_H
#define INTERPLAY_MATH_H
extern double fabs(double value);
extern float fabsf(float value);
extern double sqrt(double value);
extern double pow(double base, double exponent);
extern double exp(double value);
extern double log(double value);
extern double sin(double value);
extern double cos(double value);
extern double tan(double value);
extern double atan2(double y, double x);
extern double floor(double value);
extern double ceil(double value);
extern double round(double value);
extern double trunc(double value);
extern double fmod(double left, double right);
#endif
