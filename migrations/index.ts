import { readdirSync } from 'node:fs';
import type { Constructor } from '@mikro-orm/core';
import type { Migration } from '@mikro-orm/migrations';

const FILE = /^(\d{8}T\d{6}-[a-z\d-]+)\.js$/;

/** The class of a migration's file, which exports nothing else. */
async function classIn(file: string): Promise<Constructor<Migration>> {
  const exported = Object.values((await import(`./${file}`)) as Record<string, unknown>);
  if (exported.length !== 1) throw new Error(`migrations/${file} must export its class and nothing else.`);
  return exported[0] as Constructor<Migration>;
}

/** The migrations of this folder in the order of their names. Forward only once merged; names never change. */
export const migrations: { name: string; class: Constructor<Migration> }[] = await Promise.all(
  readdirSync(import.meta.dirname)
    .toSorted()
    .flatMap((file) => {
      const [, name] = FILE.exec(file) ?? [];
      return name === undefined ? [] : [{ file, name }];
    })
    .map(async ({ file, name }) => ({ name, class: await classIn(file) })),
);
