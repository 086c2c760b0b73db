import test from 'ava';
import fc from 'fast-check';
import { Limiter } from '../../shared/core/values/limiter.js';
import type { RejectionReason, Share } from '../../shared/core/values/limiter.js';

class LimitError extends Error {
  constructor(readonly why: RejectionReason) {
    super(why);
  }
}

const createError = (why: RejectionReason) => new LimitError(why);

/** Lets everything that can go on now do so. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Takes by name, and writes down who got something. */
function takers(limiter: Limiter) {
  const got: string[] = [];
  const take = (name: string, shares: readonly Share[] = [], options: Parameters<Limiter['take']>[1] = {}) => {
    const waiting = limiter.take(shares, options);
    if (!waiting) got.push(name);
    return waiting?.then(() => void got.push(name));
  };
  return { got, take };
}

test('what fits is had at once, by its weight and its shares', (t) => {
  const limiter = new Limiter({ capacity: 10 });
  const [half, all] = [
    { key: 'half', limit: 5 },
    { key: 'all', limit: 10 },
  ] as const;
  t.true(limiter.tryTake([half, all], 5));
  t.false(limiter.tryTake([half, all], 1), 'one share is used up');
  t.is(limiter.held, 5, 'what is refused holds nothing');
  t.is(limiter.take([all], { weight: 5 }), undefined);
  t.false(limiter.tryTake());
  limiter.hold([half], 3);
  t.deepEqual([limiter.held, limiter.heldBy('half'), limiter.heldBy('all')], [13, 8, 10]);
  limiter.release([half], 3);
  limiter.release([half, all], 5);
  limiter.release([all], 5);
  t.deepEqual([limiter.held, limiter.heldBy('half'), limiter.heldBy('all')], [0, 0, 0]);
});

test('queues take turns, and whom a share keeps back holds nobody up', async (t) => {
  const limiter = new Limiter({ capacity: 2 });
  const { got, take } = takers(limiter);
  const one = [{ key: 'x', limit: 1 }];
  void take('x1', one, { queue: 'x' });
  void take('y1', [], { queue: 'y' });
  void take('x2', one, { queue: 'x' });
  for (const name of ['y2', 'y3', 'z1']) void take(name, [], { queue: name[0]! });
  for (let times = 0; times < 3; times += 1) limiter.release();
  limiter.release(one);
  await settled();
  t.deepEqual(got, ['x1', 'y1', 'y2', 'z1', 'y3', 'x2']);
});

test('the urgent go first; what is heavy is not overtaken for ever by what is light', async (t) => {
  const limiter = new Limiter({ capacity: 3 });
  const { got, take } = takers(limiter);
  void take('first', [], { weight: 3 });
  void take('heavy', [], { weight: 2 });
  void take('urgent', [], { urgent: true });
  limiter.release([], 2);
  await settled();
  t.deepEqual(got, ['first', 'urgent']);
  t.false(limiter.tryTake(), 'what is free is kept for the heavy one');
  t.true(limiter.tryTake([], 1, true));
  limiter.release([], 2);
  await settled();
  t.deepEqual(got, ['first', 'urgent', 'heavy']);
});

test('one that gives up lets those behind it go on', async (t) => {
  const limiter = new Limiter({ capacity: 3, createError });
  const { got, take } = takers(limiter);
  void take('first', [], { weight: 2 });
  const heavy = take('heavy', [], { weight: 2, timeoutMs: 5 });
  const light = take('light');
  t.is((await t.throwsAsync(heavy!, { instanceOf: LimitError }))!.why, 'timeout');
  await light;
  t.deepEqual(got, ['first', 'light']);
});

test('a full queue takes from the longest, and nothing from the urgent', async (t) => {
  const limiter = new Limiter({ capacity: 1, queueLimit: 2, createError });
  const { take } = takers(limiter);
  void take('first');
  const [one, two] = [take('a1', [], { queue: 'a' }), take('a2', [], { queue: 'a' })];
  t.is(t.throws(() => take('a3', [], { queue: 'a' }), { instanceOf: LimitError })!.why, 'queue full');
  const other = take('b1', [], { queue: 'b' });
  t.is((await t.throwsAsync(two!, { instanceOf: LimitError }))!.why, 'queue full');
  t.throws(() => take('c1', [], { queue: 'c' }), { instanceOf: LimitError });
  const urgent = take('urgent', [], { urgent: true });
  t.is(limiter.waiting, 3);
  for (const next of [urgent, one, other]) {
    limiter.release();
    await next;
  }
});

test('a signal ends a wait', async (t) => {
  const limiter = new Limiter({ capacity: 1 });
  const { take } = takers(limiter);
  const stop = new AbortController();
  void take('first', [], { signal: stop.signal });
  const second = take('second', [], { signal: stop.signal });
  stop.abort(new Error('enough'));
  await t.throwsAsync(second!, { message: 'enough' });
  t.throws(() => take('third', [], { signal: stop.signal }), { message: 'enough' });
  t.deepEqual([limiter.held, limiter.waiting], [1, 0]);
});

test('its size may change; it tells whether more would help, and for how long nothing came back', async (t) => {
  const limiter = new Limiter({ capacity: 1 });
  const { got, take } = takers(limiter);
  const one = [{ key: 'x', limit: 1 }];
  t.is(limiter.fullMs, 0);
  void take('x1', one);
  void take('x2', one);
  t.false(limiter.lacksCapacity);
  void take('y1');
  t.true(limiter.lacksCapacity);
  await settled();
  t.true(limiter.fullMs > 0);
  limiter.resize(2);
  await settled();
  t.deepEqual(got, ['x1', 'y1']);
  limiter.resize(0);
  limiter.release(one);
  await settled();
  t.deepEqual([got.length, limiter.held], [2, 1]);
});

test('work is done within limits, and what fails holds nothing', async (t) => {
  const limiter = new Limiter({ capacity: 3 });
  let most = 0;
  const doubled = await limiter.map([1, 2, 3, 4, 5, 6, 7], async (number) => {
    most = Math.max(most, limiter.held);
    await settled();
    return number * 2;
  });
  t.deepEqual(doubled, [2, 4, 6, 8, 10, 12, 14]);
  t.is(most, 3);
  await t.throwsAsync(
    limiter.run(() => Promise.reject(new Error('no'))),
    { message: 'no' },
  );
  t.is(limiter.held, 0);
});

test('whatever happens, no limit is passed, and where somebody waits there is a limit to wait for', async (t) => {
  const stepArbitrary = fc.record({
    weight: fc.integer({ min: 1, max: 3 }),
    keys: fc.uniqueArray(fc.integer({ min: 0, max: 2 }), { maxLength: 2 }),
    queue: fc.constantFrom('a', 'b', 'c'),
    urgent: fc.boolean(),
    does: fc.constantFrom('take', 'try', 'take', 'release', 'abort'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(stepArbitrary, { maxLength: 60 }), async (steps) => {
      const limits = [2, 3, 5];
      const limiter = new Limiter({ capacity: 6, queueLimit: 8, createError });
      const holders: { shares: Share[]; weight: number }[] = [];
      const waiters = new Map<AbortController, { shares: Share[]; weight: number }>();
      for (const { weight, keys, queue, urgent, does } of steps) {
        const held = { shares: keys.map((key) => ({ key: `${key}`, limit: limits[key]! })), weight };
        if (weight > Math.min(...held.shares.map(({ limit }) => limit), 6)) continue;
        const stop = new AbortController();
        if (does === 'try') {
          if (limiter.tryTake(held.shares, weight, urgent)) holders.push(held);
        } else if (does === 'take') {
          try {
            const waiting = limiter.take(held.shares, { weight, queue, urgent, signal: stop.signal });
            if (!waiting) holders.push(held);
            else {
              waiters.set(stop, held);
              const over = () => void waiters.delete(stop);
              void waiting.then(() => over() ?? holders.push(held), over);
            }
          } catch (error) {
            t.true(error instanceof LimitError);
          }
        } else if (does === 'release') {
          const holder = holders.shift();
          if (holder) limiter.release(holder.shares, holder.weight);
        } else [...waiters.keys()].at(weight)?.abort();
        await settled();
        t.is(
          limiter.held,
          holders.reduce((sum, holder) => sum + holder.weight, 0),
        );
        t.true(limiter.held <= 6);
        for (const [key, limit] of limits.entries()) t.true(limiter.heldBy(`${key}`) <= limit);
        t.is(limiter.waiting, waiters.size);
        const allowed = [...waiters.values()].filter(({ shares, weight }) =>
          shares.every(({ key, limit }) => limiter.heldBy(key) + weight <= limit),
        );
        t.is(limiter.lacksCapacity, allowed.length > 0);
        if (allowed.length > 0) t.true(allowed.some(({ weight }) => limiter.held + weight > 6));
      }
    }),
    { numRuns: 200 },
  );
});
