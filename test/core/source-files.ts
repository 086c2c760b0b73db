import { readdirSync } from 'node:fs';
import path from 'node:path';

/** The project's own TypeScript files below the folders, without those of installed packages. */
export function sourceFiles(...folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const name = path.posix.join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : sourceFiles(name);
      return /\.m?ts$/.test(name) ? [name] : [];
    }),
  );
}
