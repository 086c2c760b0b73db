import { fillDatabase } from './dataset.js';
import type { Dataset } from './dataset.js';
import { LargeSite } from './large-site.js';
import { Site } from './site.js';

/** Where things are measured: a filled database of a middle size, and one of a large instance for those who need it. */
export class BenchSite extends Site {
  data!: Dataset;
  #large: Promise<LargeSite> | undefined;

  static async prepare(): Promise<BenchSite> {
    const site = new BenchSite(...(await Site.make('capstan_bench')));
    site.data = await fillDatabase(site.db, site.keys);
    return site;
  }

  /** The large database, made when it is first needed. */
  large(): Promise<LargeSite> {
    return (this.#large ??= LargeSite.prepare());
  }

  override async leave(): Promise<void> {
    await (await this.#large)?.leave();
    await super.leave();
  }
}
