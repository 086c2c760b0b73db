import type { z } from 'zod';
import type { Context, SignedInContext } from '../../core/context.js';
import type { Settings } from '../../core/settings.js';
import { TWINS } from './feature-params.js';
import { NEW_HOT_SETTINGS, NEW_SETTINGS } from './new-settings.js';
import type { HotSettings, SettingColumns } from './new-settings.js';
import type { settingParams } from './project.params.js';

export type SettingInput = z.output<z.ZodObject<typeof settingParams>>;

/** What was sent, as columns. What was not sent is left out. */
export interface SettingValues {
  hot: Partial<HotSettings>;
  settings: Partial<SettingColumns>;
  /** As it was sent: it is stored encrypted. */
  importUrl: string | null | undefined;
}

type Values = Record<string, unknown>;

const HOT = new Set<string>([...Object.keys(NEW_HOT_SETTINGS), 'ci_pipeline_variables_minimum_override_role']);
const COLD = new Set<string>([...Object.keys(NEW_SETTINGS), 'pages_access_level']);

/** Settings that a plan must have; without it they are ignored (README "Plans and offerings"). */
const PLANS: Record<string, Settings['plan']> = {
  approvals_before_merge: 'premium',
  issues_template: 'premium',
  merge_requests_template: 'premium',
  import_url: 'premium',
  mirror: 'premium',
  mirror_user_id: 'premium',
  mirror_trigger_builds: 'premium',
  only_mirror_protected_branches: 'premium',
  mirror_overwrites_diverged_branches: 'premium',
  only_allow_merge_if_all_status_checks_passed: 'ultimate',
  compliance_frameworks: 'ultimate',
  requirements_access_level: 'ultimate',
  requirements_enabled: 'ultimate',
};

/** What was sent, without what the plan lacks and what is only for administrators. */
function allowed(ctx: Context, input: SettingInput): Values {
  const kept = Object.entries(input).filter(([name, value]) => {
    if (value === undefined) return false;
    if (name === 'mirror_user_id' && !ctx.caller.admin) return false;
    const plan = PLANS[name];
    return plan === undefined || ctx.hasPlan(plan);
  });
  return Object.fromEntries(kept);
}

/** Levels by the older switches, where no level stands beside them. */
function levelsOf(given: Values): Values {
  const levels = Object.entries(TWINS)
    .filter(([twin, level]) => given[twin] !== undefined && given[level] === undefined)
    .map(([twin, level]) => [level, given[twin] === true ? 'enabled' : 'disabled']);
  return Object.fromEntries(levels) as Values;
}

/** The newer names of what older clients send. */
function renamed(given: Values): Values {
  const values: Values = {};
  if (given.public_builds !== undefined) values.public_jobs = given.public_builds;
  if (given.emails_disabled !== undefined) values.emails_enabled = given.emails_disabled !== true;
  // The older switch knew two answers; the role behind it knows more [unverified].
  if (given.restrict_user_defined_variables !== undefined)
    values.ci_pipeline_variables_minimum_override_role =
      given.restrict_user_defined_variables === true ? 'maintainer' : 'developer';
  return values;
}

/** A text that says nothing is none. */
const emptied = (value: unknown) => (value === '' ? null : value);

/** What was sent of a project's settings, as columns of its two tables. */
export function settingValues(ctx: SignedInContext, input: SettingInput): SettingValues {
  const given = allowed(ctx, input);
  const all = { ...levelsOf(given), ...renamed(given), ...given };
  const pick = (names: ReadonlySet<string>) =>
    Object.fromEntries(
      Object.entries(all)
        .filter(([name]) => names.has(name))
        .map(([name, value]) => [name, emptied(value)]),
    );
  const values: SettingValues = {
    hot: pick(HOT),
    settings: pick(COLD),
    importUrl: emptied(given.import_url) as SettingValues['importUrl'],
  };
  // Who switches mirroring on answers for it, unless an administrator names somebody else.
  if (values.settings.mirror && values.settings.mirror_user_id === undefined)
    values.settings.mirror_user_id = ctx.caller.user.id;
  return values;
}

/** The topics that were sent; the newer name wins. */
export function topicsGiven(input: Pick<SettingInput, 'topics' | 'tag_list'>): readonly string[] | undefined {
  return input.topics ?? input.tag_list;
}
