import { ACCESS_LEVELS } from '../../core/operations/policy.js';

/** Levels that a rule over tags, and one over branches, may admit (protected-tags.md section 2). */
export const TAG_LEVELS = [ACCESS_LEVELS.no_access, ACCESS_LEVELS.developer, ACCESS_LEVELS.maintainer] as const;
export const BRANCH_LEVELS = [...TAG_LEVELS, ACCESS_LEVELS.admin] as const;
