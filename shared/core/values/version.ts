import { readFileSync } from 'node:fs';

/** The name of this service where it reports its version. */
export const SERVICE_NAME = 'Capstan';

/** The version of this service, as package.json has it; the level of the API that it speaks is another. */
export const SERVICE_VERSION = (
  JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
