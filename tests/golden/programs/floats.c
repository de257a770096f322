extern void reach_error(void);
int main(void) {
  double x = 0.5;
  if (x * 2.0 != 1.0) {
    reach_error();
  }
  return 0;
}
