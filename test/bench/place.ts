import { fillDatabase } from './dataset.js';
import type { Dataset } from './dataset.js';
import { LargeSite } from './large-site.js';
import { Site } from './site.js';

/** Where things are measured: a filled database of a middle size, and one of a large instance for those who need it. */
export class Place extends Site {
  data!: Dataset;
  #large: Promise<LargeSite> | undefined;

  static async prepare(): Promise<Place> {
    const place = new Place(...(await Site.make('capstan_bench')));
    place.data = await fillDatabase(place.db, place.keys);
    return place;
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
