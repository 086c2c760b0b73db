import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = 'test/contract';

/**
 * Rows of the GraphQL contract: those of every `.list` in `test/contract`, where each area may have a separate file.
 */
export const graphqlRows = (): string[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.list'))
    .sort()
    .flatMap((name) => readFileSync(path.join(FOLDER, name), 'utf8').split('\n'))
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
