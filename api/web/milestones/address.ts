import { pageOf } from '../containers/address.js';
import type { Container } from '../containers/address.js';

/** Where the milestones of a project or group are, or one of them by its number, or the form of another one. */
export const milestonesOf = (of: Container, milestone?: number | 'new'): string =>
  pageOf(of, milestone === undefined ? 'milestones' : `milestones/${milestone}`);
