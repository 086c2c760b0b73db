import type { Services } from '../shared/core/context/context.js';
import { renewBuiltInRunner } from '../shared/ci/runners/built-in-runner.js';

interface BuiltInRunnerRequest {
  type?: string;
  problem?: string;
}

/** Answers the supervisor, which starts the service's own runner and asks for its token. */
export function serveBuiltInRunner(services: Services): void {
  process.on('message', (message: BuiltInRunnerRequest | null) => {
    if (message?.type !== 'built-in-runner') return;
    renewBuiltInRunner(services, message.problem ?? null).then(
      (token) => process.send?.({ type: 'built-in-runner', token }),
      (error: unknown) => {
        services.log.error({ err: error }, 'the built-in runner has no token');
        // Without a token it is asked again.
        process.send?.({ type: 'built-in-runner' });
      },
    );
  });
}
