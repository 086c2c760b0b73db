import type { Services } from '../../core/context/context.js';

/** Sets gauges of what is stored, when metrics are read. */
type Measure = (services: Services) => Promise<void>;

const measures: Measure[] = [];

/** Adds to what is measured whenever metrics are read. A domain calls it where its registry is created. */
export function addMeasure(measure: Measure): void {
  measures.push(measure);
}

/** Measures what domains have added; a measure that fails leaves its gauge without a value. */
export async function measureStored(services: Services): Promise<void> {
  await Promise.all(
    measures.map((measure) =>
      measure(services).catch((error: unknown) => services.log.warn({ err: error }, 'a metric could not be measured')),
    ),
  );
}
