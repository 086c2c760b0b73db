/** One line of `npm run doctor`. */
export interface Finding {
  /** `warn`: it works, but needs attention. `failed`: something does not work. */
  state: 'ok' | 'warn' | 'failed';
  component: string;
  /** What was found, without secrets. */
  found: string;
  /** What to do about it. */
  remedy?: string;
}

export const fine = (component: string, found: string): Finding => ({ state: 'ok', component, found });
export const doubtful = (component: string, found: string, remedy: string): Finding => ({
  state: 'warn',
  component,
  found,
  remedy,
});
export const broken = (component: string, found: string, remedy: string): Finding => ({
  state: 'failed',
  component,
  found,
  remedy,
});

/** Time limit of one check, in milliseconds: all run concurrently, and the whole run finishes within ten seconds. */
export const CHECK_MS = 8000;

/** Runs a check; one that fails or takes too long is a finding as well. */
export async function collectFindings(component: string, check: () => Promise<Finding[]>): Promise<Finding[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Finding[]>((resolve) => {
    const message = `no answer within ${CHECK_MS / 1000} s`;
    timer = setTimeout(
      () => resolve([broken(component, message, 'Look whether the machine is overloaded.')]),
      CHECK_MS,
    );
  });
  try {
    return await Promise.race([check(), late]);
  } catch (error) {
    const message = (error instanceof Error ? error.message : String(error)).replace(/[\w+.-]+:\/\/\S+/g, '[FILTERED]');
    return [broken(component, message, 'Look into the log of the service for the same error.')];
  } finally {
    clearTimeout(timer);
  }
}

/** A finding as a line to read. */
export function formatFinding({ state, component, found, remedy }: Finding): string {
  const begin = `${state === 'failed' ? 'FAILED' : state.padEnd(6)}  ${component.padEnd(18)}  ${found}`;
  return remedy === undefined ? begin : `${begin}. ${remedy}`;
}
