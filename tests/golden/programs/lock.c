extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int locked = 0;

void lock(void) {
  if (locked) {
    reach_error();
  }
  locked = 1;
}

void unlock(void) {
  if (!locked) {
    reach_error();
  }
  locked = 0;
}

int main(void) {
  int requests = 0;
  int served;
  do {
    lock();
    served = requests;
    if (__VERIFIER_nondet_int()) {
      unlock();
      requests = requests + 1;
    }
  } while (requests != served);
  unlock();
  return 0;
}
