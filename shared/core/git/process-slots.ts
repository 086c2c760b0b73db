const limit = 32;
const waiting: (() => void)[] = [];
let running = 0;

/** Runs `work` when fewer than 32 git processes of this process are running; the others wait in order of arrival. */
export async function inProcessSlot<T>(work: () => Promise<T>): Promise<T> {
  // A slot is handed over without becoming free in between, so nobody can overtake.
  if (running < limit) running += 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}
