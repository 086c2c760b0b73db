import type { WorkerDomain } from '../core/domain.js';
import { removeBots, removeBotsNowAndThen } from './resource-access-tokens/remove-bots.js';
import { tidy, cleanUpEachHour } from './user-sessions/clean-up.js';

export const authWorkers: WorkerDomain = {
  handlers: [removeBots, tidy],
  recurring: [cleanUpEachHour, removeBotsNowAndThen],
};
