import { moveObjects } from './core/stored-files/move-objects.js';
import { openStore } from './core/object-store/open-store.js';
import type { StoreKind } from './core/object-store/open-store.js';
import { EXIT_FAILED, runServiceCommand, printLine } from './service-command.js';

/** The launcher runs this file for `npm run move-objects`, with the kind of store to move to. */
await runServiceCommand('move-objects', async (ctx) => {
  const target: StoreKind = process.argv[2] === 's3' ? 's3' : 'local';
  const [from, to] = [openStore(ctx.config, target === 's3' ? 'local' : 's3'), openStore(ctx.config, target)];
  try {
    const { copied, present, missing } = await moveObjects(ctx, from, to, printLine);
    printLine(`${copied} objects were copied, ${present} were there already, ${missing} are missing`);
    return missing > 0 ? EXIT_FAILED : 0;
  } finally {
    await Promise.all([from.close(), to.close()]);
  }
});
