import { Session } from 'node:inspector/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Below it lie `api`, `shared` and `workers`. */
const COMPILED = path.resolve(import.meta.dirname, '../..');
/** Mechanism, which every request goes through and no domain owns. */
const NO_DOMAINS: ReadonlySet<string> = new Set(['core', 'git']);

/** Files of domains in which something runs while `work` does: any function, but not the module around them. */
export async function enteredFiles(work: () => Promise<unknown>): Promise<string[]> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return result
      .filter(({ url, functions }) => url.startsWith('file:') && functions.some(isEntered))
      .map(({ url }) => path.relative(COMPILED, fileURLToPath(url)))
      .filter(isOfDomain)
      .sort();
  } finally {
    await session.post('Profiler.stopPreciseCoverage');
    session.disconnect();
  }
}

interface FunctionCoverage {
  ranges: { startOffset: number; count: number }[];
}

/** The module around all functions begins where its file does. */
const isEntered = ({ ranges: [whole] }: FunctionCoverage): boolean =>
  !!whole && whole.startOffset > 0 && whole.count > 0;

function isOfDomain(file: string): boolean {
  const [side = '', domain = '', ...rest] = file.split(path.sep);
  return ['api', 'shared', 'workers'].includes(side) && rest.length > 0 && !NO_DOMAINS.has(domain);
}
