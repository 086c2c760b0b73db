import type { WorkerDomain } from '../core/domain.js';
import { removeBots, removeBotsNowAndThen } from './resource-access-tokens/remove-bots.js';
import { tidy, tidyEachHour } from './user-sessions/tidy.js';

export const authDomain: WorkerDomain = {
  handlers: [removeBots, tidy],
  recurring: [tidyEachHour, removeBotsNowAndThen],
};
