import type { ProcessLimits } from './process-limits.js';

/** Begins a connection that is to be git's standard output: what to start. */
export interface StartRequest {
  id: number;
  /** Another connection is to be its standard input; else it has none. */
  hasInput: boolean;
  args: string[];
  env: NodeJS.ProcessEnv;
  /** What it may use; all that there is where left out. */
  limits?: ProcessLimits | undefined;
  /** How far to lower git's priority below that of the requesting process. */
  niceness: number;
}

/** Opens a connection for the standard input of another request. */
export interface InputOffer {
  inputOf: number;
}

/** Ends what runs. */
export interface ToStarter {
  id: number;
  signal: NodeJS.Signals;
}

export interface Started {
  id: number;
  pid: number;
}

export interface NotStarted {
  id: number;
  /** `ENOENT`, or a message. */
  error: string;
}

export interface ProcessExit {
  id: number;
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  stderr: string;
}

export type FromStarter = { address: string } | Started | NotStarted | ProcessExit;
