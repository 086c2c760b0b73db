import { tell } from './goal.js';
import { fill } from './seed/fill.js';
import type { Sizes } from './seed/sizes.js';
import { Site } from './site.js';

/** A database with the dataset of `npm run bench:seed`: 100,000 projects, or `CAPSTAN_BENCH_SCALE` times as many. */
export class LargeSite extends Site {
  sizes!: Sizes;

  static async prepare(): Promise<LargeSite> {
    const site = new LargeSite(...(await Site.make('capstan_bench_large')));
    const client = await site.db.connect();
    const began = performance.now();
    try {
      site.sizes = await fill(client, site.keys, Number(process.env.CAPSTAN_BENCH_SCALE ?? 1));
    } finally {
      client.release();
    }
    tell(`${site.sizes.projects} projects seeded in ${((performance.now() - began) / 1000).toFixed(0)} s`);
    return site;
  }
}
