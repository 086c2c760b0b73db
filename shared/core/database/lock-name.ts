import type { EntityManager } from './database.js';

/** Waits for the lock of that name, and holds it until the transaction ends. */
export async function lockName({ em }: { readonly em: EntityManager }, name: string): Promise<void> {
  await em
    .getKysely()
    .selectNoFrom((eb) =>
      eb.fn<void>('pg_advisory_xact_lock', [eb.fn('hashtextextended', [eb.val(name), eb.lit(0)])]).as('locked'),
    )
    .execute();
}
