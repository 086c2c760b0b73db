import type { Services } from '../../core/context/context.js';

/** Sets gauges of what is stored, when metrics are read. */
type Measure = (services: Services) => Promise<void>;

/** Values that are this old are good enough, in milliseconds. */
const FRESH_MS = 5_000;

const measures: Measure[] = [];
const measured = new WeakMap<Services['db'], { at: number; done: Promise<void> }>();

/** Adds to what is measured when metrics are read. A domain calls it where its registry is created. */
export function addMeasure(measure: Measure): void {
  measures.push(measure);
}

async function measureAll(services: Services): Promise<void> {
  for (const measure of measures)
    await measure(services).catch((error: unknown) =>
      services.log.warn({ err: error }, 'a metric could not be measured'),
    );
}

/** Measures what domains have added, once for everybody who reads metrics at the time. */
export function measureStored(services: Services): Promise<void> {
  const last = measured.get(services.db);
  if (last && performance.now() - last.at < FRESH_MS) return last.done;
  const done = measureAll(services);
  measured.set(services.db, { at: performance.now(), done });
  return done;
}
