import type { WorkerDomain } from '../core/domain.js';
import { removeBots } from './resource-access-tokens/remove-bots.js';
import { tidy } from './user-sessions/clean-up.js';

export const authWorkers: WorkerDomain = {
  handlers: [removeBots, tidy],
};
