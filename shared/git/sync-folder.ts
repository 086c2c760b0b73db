import { open } from 'node:fs/promises';

/** A power cut must not lose the names of files in a folder that a ref is about to lead to. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
