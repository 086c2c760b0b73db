import { start } from '#launch/start.mjs';
import { compileOnChange } from './compile-on-change.mjs';
import { prepareDevelopment } from './prepare.mjs';

/** `npm run dev` runs the service, and starts its processes again with each change of a source. Resolves to the exit code. */
export function runDevelopment() {
  // The API serves the pages from their sources, with hot reload.
  process.env.CAPSTAN_DEVELOPMENT = '1';
  process.env.NODE_ENV = 'development';
  let stopWatching = () => {};
  let last = Promise.resolve();
  const running = start('all', {
    build: prepareDevelopment,
    onStart(service) {
      stopWatching = compileOnChange((files) => {
        const isSchema = files.some((file) => file.startsWith('migrations'));
        last = last.then(() => service.renew(isSchema)).catch((error) => console.error(`capstan: ${error.message}`));
      });
    },
  });
  return running.finally(() => stopWatching());
}
