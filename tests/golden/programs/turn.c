extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int next(int state) {
  if (__VERIFIER_nondet_int() > 5) {
    return state + 1;
  }
  return state;
}

int main(void) {
  int state = 0;
  state = next(state);
  state = next(state);
  if (state == 2) {
    reach_error();
  }
  return 0;
}
