"""Programs about floating-point numbers whose assertions hold on x86 with SSE, and with gcc at any level."""

MAIN = {
    "twice converted": "volatile long long l = 4294967240; assert((long double) (float) l == 4294967296.0L);",
    "NaN is in no order": (
        "double z=0.0; double n = 0.0 / z; assert(!(n < 1) && !(n >= 1) && n != n); int k=0; if (n) k=1; "
        "assert(k==1 && !n == 0); "
    ),
    "zeros are equal": "double a = 0.0, b = -0.0; assert(a == b && 1 / a != 1 / b);",
    "a float against a double": "float x = 0.1f; assert(x > 0.1);",
    "the sum of zeros": "double d = -0.0; assert(1/(d + 0.0) > 0 && 1/d < 0);",
    "a comparison converts an int": "int i = 16777217; assert((float) i == i && (int)(float) i != i);",
    "the largest long long": "long long l = 9223372036854775807LL; assert((double) l == 9223372036854775808.0);",
    "a literal is rounded once": (
        "float f = 1.00000017881393421514957253748434595763683319091796875001f; union {float f; unsigned u;} "
        "w; w.f=f; assert(w.u==0x3f800001); "
    ),
    "a conversion rounds once": "long long s = 0x4000004000000001; assert((float) s == 0x1.000002p+62f);",
    "rounding to even": "float p = 16777216.0f; assert(p + 1.0f == p);",
    "overflow to infinity": "float q = 1e38f; assert(q * 10.0f / 10.0f != q);",
    "sums of floats and doubles": "assert(0.1f + 0.2f == 0.3f && 0.1 + 0.2 != 0.3);",
    "the bits of a NaN": "union { float f; unsigned u; } w = {.u = 0x7f800001}; float g = w.f; assert(g != g);",
    "truth values": "_Bool b = 0.3; assert(b == 1); _Bool c=0.0; assert(!c);",
    "compound assignment": (
        "int n = 5; n *= 0.5; assert(n==2); float u = 3; u += 0.1; assert(u == (float)((double)3.0f+0.1)); "
        "n=7; n /= 2.0f; assert(n==3); unsigned char uc=200; uc += 1.5; assert(uc==201); n-=0.5; "
        "assert(n==2); "
    ),
    "infinity less infinity": "double y = 1e308*10; double x = y - y; assert(x != x);",
    "constant expressions": (
        "enum { E = (int) 3.99 }; static int a[(int) 2.5 + 1]; assert(E==3 && sizeof a / sizeof a[0]==3);"
    ),
    "increments": "float t=1; t++; ++t; assert(t==3); assert(t-- == 3 && t==2); double d=0.5; d--; assert(d==-0.5);",
    "structs": "struct {float a; double b; int c;} s={1,2.5,3.7}, r; r=s; assert(r.a+r.b==3.5 && r.c==3);",
    "pointers to elements": (
        "float a[3]={1,2,3}; float *p=a; float s=0; for(int i=0;i<3;i++) s+=*p++; assert(s==6); p[-1]=0.5f; "
        "assert(a[2]==0.5f); "
    ),
    "conversions to integers": (
        "double d=3.7; int i=d; long l=-d; unsigned char c=(unsigned char)d; assert(i==3&&l==-3&&c==3);"
    ),
    "conversions of unsigned numbers": (
        "unsigned u=4294967295u; float f=u; assert(f==4294967296.0f); double e=u; assert(e==4294967295.0); "
        "unsigned long long q=18446744073709551615ull; assert((double)q==18446744073709551616.0); "
    ),
    "long double": "long double x=1.0L; x/=3; assert(x*3!=0 && x < 0.34L && x > 0.33L); assert((double)x==1.0/3);",
    "bytes of a double": (
        "double x=1; double *p=&x; unsigned char *b=(unsigned char*)p; assert(b[7]==0x3f && b[6]==0xf0 && "
        "b[0]==0); b[7]=0xbf; assert(x==-1); "
    ),
    "sizes and conditions": (
        "float f; int k=sizeof(f+1.0); assert(k==8); assert(sizeof(1.0f)==4); f=1; double d=f; assert((f ? 1 "
        ": 0) && (d && f) && !(0.0||-0.0f)); "
    ),
    "indices": (
        "float f=0.5f; switch((int)(f*4)){case 2: break; default: assert(0);} int a[5]={0}; a[(int)(f*2)]=1; "
        "assert(a[1]==1); "
    ),
    "narrow integers": "double d = 1.5; long long big = (long long)(d*4); assert(big==6 && (short)(-d)==-1);",
    "double rounding": "float x = 1.0f/3; double y = x; assert(y != 1.0/3 && (float)y == x && (float)(1.0/3)==x);",
    "the largest double": "double m = 1.7976931348623157e308; assert(m*2 > m && -m*2 < -m && m+1==m);",
    "subnormal numbers": "float d = 1e-45f; assert(d>0 && d/2==0 && d*0.5f==0.0f); assert(0x1p-149f==d);",
    "constant arrays": "const double t[3]={0.25,0.5,1}; double s=0; for(int i=0;i<3;i++) s+=t[i]; assert(s==1.75);",
    "comparisons as numbers": (
        "double x=3, y=4; assert((x<y)+(x<=y)+(x==y)+(x!=y)+(x>y)+(x>=y)==3); assert(x<4 && 2<x && x==3.0f);"
    ),
    "choices": (
        "double a=1,b=2,c; c = a > b ? a : b; assert(c==2); c = (a+=1, b*=a); assert(c==4); double q = c = 5; "
        "assert(q==5); "
    ),
    "mixed arithmetic": (
        "int i=1; double d = i++ + 0.5; assert(d==1.5 && i==2); d += i; assert(d==3.5); i += d; assert(i==5); "
        "i <<= (int)1.5; assert(i==10); "
    ),
    "short integers": (
        "unsigned short s=65535; float f=s; s = f; assert(s==65535); signed char c=-128; double e=c; "
        "assert(e==-128); c=e; assert(c==-128); c=-128.9; assert(c==-128); "
    ),
    "long doubles in memory": (
        "long double x = 0.1L; long double a[2]={1.0L,2.0L}; long double *p=a; assert(p[1]-p[0]==1 && x != "
        "0.1); struct {char c; long double l;} s={1,3.5L}; assert(s.l==3.5L); "
    ),
    "negation": "double z=-0.0; double y=-z; assert(1/y>0); float n=-(0.0f); assert(1/n<0); assert(-(-2.5)==2.5);",
}
"""Bodies of `main`, by what they show."""

WHOLE = {
    "globals and functions": (
        "double g=1.5; float h[2]={1,2.5f}; struct S{float x;double y;} s={1,2}; static double z; double "
        "f(double a,float b){return a*b;} float k(float x){return x+0.1;} double r(int n){return "
        "n?0.5*r(n-1):1.0;} int main(void){ assert(g+h[1]==4 && s.y==2 && z==0); assert(f(2,1.5f)==3); "
        "assert(k(1)==1.1f); assert(r(4)==0.0625); return 0;} "
    ),
    "function pointers": (
        "double (*fp)(double); double tw(double x){return 2*x;} int main(void){fp=tw; assert(fp(1.5)==3); return 0;} "
    ),
    "structs by value": (
        "struct P{double x,y;}; struct P mk(double a,double b){struct P p={a,b}; return p;} double nrm(struct "
        "P p){return p.x*p.x+p.y*p.y;} int main(void){ assert(nrm(mk(3,4))==25); struct P q[2]={{1,2},{3,4}}; "
        "q[0]=q[1]; assert(q[0].x==3); return 0;} "
    ),
    "the heap": (
        "#include <stdlib.h>\n"
        "int main(void){ double *p=malloc(3*sizeof *p); if(!p) return 0; p[0]=1; p[1]=p[0]/2; p[2]=p[0]+p[1]; "
        "assert(p[2]==1.5); double *c=calloc(2,sizeof *c); if(!c) return 0; assert(c[1]==0); free(p); "
        "free(c); return 0;} "
    ),
    "copies of bytes": (
        "#include <string.h>\n"
        "int main(void){ float a[2]={1,2}, b[2]; memcpy(b,a,sizeof a); assert(b[1]==2); unsigned u; "
        "memcpy(&u,&a[0],4); assert(u==0x3f800000); double d=0; unsigned long long q; memcpy(&q,&d,8); "
        "assert(q==0); memset(a,0,sizeof a); assert(a[1]==0); return 0;} "
    ),
    "variable arguments": (
        "#include <stdarg.h>\n"
        "double sum(int n,...){va_list l; va_start(l,n); double s=0; for(int i=0;i<n;i++) "
        "s+=va_arg(l,double); va_end(l); return s;} int main(void){ assert(sum(2,1.5,2.0f)==3.5); return 0;} "
    ),
    "parameters without prototype": (
        "double kr(x) float x; { return x; } int main(void){ assert(kr(0.1f)==0.1f); return 0;}"
    ),
    "recursion": (
        "float p(float b,int n){ if(n==0) return 1; return b*p(b,n-1);} int main(void){ assert(p(2,5)==32); "
        "return 0; } "
    ),
    "the macros of float.h": (
        "#include <float.h>\n"
        "int main(void){ assert(FLT_MAX>1e38f && DBL_EPSILON==2.220446049250313e-16 && FLT_DIG==6 && "
        "DBL_MIN>0 && FLT_MIN/2>0 && DBL_MANT_DIG==53 && FLT_RADIX==2 && LDBL_MANT_DIG==64); "
        "assert(1+DBL_EPSILON>1 && 1+DBL_EPSILON/2==1); return 0;} "
    ),
    "words of a double": (
        "union U{double d; struct{unsigned lo,hi;} w;}; int main(void){ union U u; u.d=-2.0; "
        "assert(u.w.hi==0xc0000000u && u.w.lo==0); u.w.hi&=0x7fffffff; assert(u.d==2.0); return 0;} "
    ),
    "lists": (
        "struct N{double v; struct N*n;}; int main(void){ struct N a={1.5,0}, b={2.5,&a}; double s=0; "
        "for(struct N*p=&b;p;p=p->n) s+=p->v; assert(s==4); return 0;} "
    ),
    "classification": (
        "#include <math.h>\n"
        "int main(void){ double z = 0, tiny = 1e-310; float f = 1e-40f; assert(isnan(z/z) && !isnan(1.0)); "
        "assert(isinf(1/z) && isinf(-1/z) && !isinf(z/z) && !isinf(1e308)); assert(isfinite(tiny) && "
        "!isfinite(1/z)); "
        "assert(fpclassify(tiny) == FP_SUBNORMAL && fpclassify(f) == FP_SUBNORMAL && isnormal((double) f)); "
        "assert(!isnormal(f) && fpclassify(z) == FP_ZERO && fpclassify(NAN) == FP_NAN && INFINITY > 1e308); "
        "assert(signbit(-z) && !signbit(z) && signbit(-1.5f) && !signbit(INFINITY)); "
        "assert(isless(z, 2.0) && !isunordered(1, z) && isunordered(NAN, z) && HUGE_VAL == INFINITY); return 0; }"
    ),
    "magnitudes": (
        "#include <math.h>\n"
        "int main(void){ assert(fabs(-2.5) == 2.5 && fabsf(-0.5f) == 0.5f && 1 / fabs(-0.0) > 0 && "
        "isnan(fabs(NAN))); "
        "assert(fmin(1, 2) == 1 && fmax(1, 2) == 2 && fmin(NAN, 3) == 3 && fmax(3, NAN) == 3 && fmaxf(-1, "
        "-2) == -1); "
        "assert(fdim(3, 1) == 2 && fdim(1, 3) == 0 && __builtin_fabs(-1.0) == 1 && fabsl(-1.0L) == 1); return 0; }"
    ),
    "whole numbers": (
        "#include <math.h>\n"
        "int main(void){ assert(round(2.5) == 3 && rint(2.5) == 2 && signbit(round(-0.4)) && round(-2.5) == -3); "
        "assert(floor(-0.5) == -1 && ceil(0.2) == 1 && trunc(-1.7) == -1 && signbit(trunc(-0.3)) && "
        "floorf(2.75f) == 2); "
        "assert(rint(-3.5) == -4 && nearbyint(0.5) == 0 && signbit(rint(-0.2)) && ceill(-2.5L) == -2 && "
        "isnan(floor(NAN))); "
        "assert(floor(1e300) == 1e300 && round(0.49999999999999994) == 0 && roundf(8388607.5f) == "
        "8388608.0f); return 0; }"
    ),
    "roots and remainders": (
        "#include <math.h>\n#include <errno.h>\n"
        "int main(void){ int q; errno = 0; assert(sqrt(2.0) > 1.414213 && sqrtf(4) == 2 && sqrtl(9) == 3); "
        "assert(errno == 0 && isnan(sqrt(-1.0)) && errno == EDOM); "
        "assert(fmod(5.5, -3) == 2.5 && remainder(5.5, -3) == -0.5 && signbit(fmod(-0.0, 1)) && fmodf(-7, 2) == -1); "
        "assert(remquo(7, 2, &q) == -1 && q == 4); assert(fma(0x1p-1074, 0.5, 1) == 1 && fmaf(2, 3, 4) == 10); "
        "assert(fma(1 + 0x1p-30, 1 - 0x1p-30, -1) == -0x1p-60); return 0; }"
    ),
    "exponents": (
        "#include <math.h>\n#include <limits.h>\n"
        "int main(void){ int e; double w; assert(frexp(-8, &e) == -0.5 && e == 4); assert(frexp(5e-324, &e) == 0.5); "
        "assert(e == -1073 && ldexp(0.75, 3) == 6 && ldexp(1, -1074) == 5e-324 && scalbnf(1, 128) == INFINITY); "
        "assert(ilogb(10) == 3 && ilogb(0x1p-1070) == -1070 && ilogb(INFINITY) == INT_MAX && logb(0.1) == -4); "
        "assert(modf(-3.75, &w) == -0.75 && w == -3); assert(nextafter(1, 2) == 1 + 0x1p-52); "
        "assert(nextafterf(0, -1) == -0x1p-149f && nexttowardf(1, 0) == 1 - 0x1p-24f && copysign(3, -0.0) == -3); "
        "return 0; }"
    ),
    "rounding to integers": (
        "#include <math.h>\n"
        "int main(void){ assert(lround(2.5) == 3 && lrint(2.5) == 2 && llround(-2.5f) == -3 && lrintl(-3.5L) == -4); "
        "assert(llrint(0x1p62) == 1LL << 62); return 0; }"
    ),
    "functions of any type": (
        "#include <tgmath.h>\n"
        "int main(void){ float f = 2; long double l = 2; assert(sizeof sqrt(f) == sizeof(float) && sizeof pow(f, 1) == "
        "sizeof(double)); assert(sqrt(f) != sqrt(2.0) && fmax(l, 3) == 3 && isgreater(3, f) && !isless(NAN, l)); "
        "assert(__builtin_isinf_sign(-1e4000L) == -1 && !__builtin_isnormal(1e-40f)); return 0; }"
    ),
    "a sign is used for its truth": (
        "#include <math.h>\n"
        "int main(void){ float f = -1; double d = -1; assert(signbit(f) && !!signbit(d) == !!signbit(f)); "
        "if (!signbit(-0.0L)) return 1; return 0; }"
    ),
}
"""Programs."""
