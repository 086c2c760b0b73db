/** What one process may use of the machine. */
export interface ProcessLimits {
  /** MiB of memory of its own: what it maps of packs does not count. */
  readonly memoryMib: number;
  /** Seconds of a core. Time on the clock would say nothing of the work on a busy machine. */
  readonly cpuSeconds?: number;
}

/**
 * Commands that visit paths (decision 92). A few objects can have any number of them: ten trees, each with ten entries of the one
 * below, are 10^10 files. git keeps what it visits in memory, or visits folders without files for ever.
 */
const LIMITS: Readonly<Record<string, ProcessLimits>> = {
  archive: { memoryMib: 1024 },
  blame: { memoryMib: 1024, cpuSeconds: 60 },
  'diff-tree': { memoryMib: 512, cpuSeconds: 8 },
  log: { memoryMib: 1024, cpuSeconds: 30 },
  'ls-tree': { memoryMib: 512, cpuSeconds: 30 },
  'merge-tree': { memoryMib: 1024, cpuSeconds: 20 },
};

/** CPU seconds of a command that a request waits for: less than the ten seconds after which the request times out. */
const REQUEST_SECONDS = 8;
const OF_REQUESTS: ReadonlySet<string> = new Set(['short', 'long']);

/** The limits of a git command in a pool; undefined for one that visits each object once. */
export function getProcessLimits(command: string | undefined, pool: string): ProcessLimits | undefined {
  const limits = LIMITS[command ?? ''];
  if (!limits || !OF_REQUESTS.has(pool)) return limits;
  return { ...limits, cpuSeconds: Math.min(limits.cpuSeconds ?? Infinity, REQUEST_SECONDS) };
}

/** Whether a git command is one that has limits. */
export const isLimited = (command: string): boolean => LIMITS[command] !== undefined;

/** Sets limits and becomes git. Systems that do not know one of them go on without it. */
const SCRIPT =
  'ulimit -c 0; [ -z "$1" ] || ulimit -S -t "$1" 2>/dev/null; ulimit -S -d "$2" 2>/dev/null; shift 2; exec git "$@"';

/** The program and its arguments that run git within limits. */
export function limitedCommand(
  args: readonly string[],
  { memoryMib, cpuSeconds }: ProcessLimits,
): [program: string, args: string[]] {
  return ['/bin/sh', ['-c', SCRIPT, 'git', String(cpuSeconds ?? ''), String(memoryMib * 1024), ...args]];
}

/** How a process ends that used up its time, its stack (folders within folders, ever deeper) or its memory. */
const SIGNALS: ReadonlySet<string | null> = new Set(['SIGXCPU', 'SIGSEGV', 'SIGABRT', 'SIGBUS']);

/** Whether a process ended because it needed more than it may have. */
export const wasTooCostly = (signal: string | null, stderr: string): boolean =>
  SIGNALS.has(signal) || /out of memory/i.test(stderr);
