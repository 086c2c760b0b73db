import { report } from './goal.js';
import { fill } from './seed/fill.js';
import { getSizes } from './seed/sizes.js';
import type { Sizes } from './seed/sizes.js';
import { Site } from './site.js';

/**
 * A database with the dataset of `npm run bench:seed`: 100,000 projects, or `CAPSTAN_BENCH_SCALE` times as many. The
 * database in `CAPSTAN_BENCH_DATABASE_URL` is used unchanged, so that repeated measurements need no new seeding.
 */
export class LargeSite extends Site {
  sizes!: Sizes;

  static async prepare(): Promise<LargeSite> {
    const { CAPSTAN_BENCH_DATABASE_URL: filled, CAPSTAN_BENCH_SCALE: scale = 1 } = process.env;
    const site = new LargeSite(...(await Site.make('capstan_bench_large', filled)));
    if (filled) {
      site.sizes = getSizes(Number(scale));
      return site;
    }
    const client = await site.db.connect();
    const began = performance.now();
    try {
      site.sizes = await fill(client, site.keys, Number(scale));
    } finally {
      client.release();
    }
    report(`${site.sizes.projects} projects seeded in ${((performance.now() - began) / 1000).toFixed(0)} s`);
    return site;
  }
}
