const LEVELS: Readonly<Record<string, string>> = {
  disabled: 'No one',
  private: 'Only project members',
  enabled: 'Everyone with access',
  public: 'Everyone',
};

const CHOICES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  merge_method: {
    merge: 'Merge commit',
    rebase_merge: 'Merge commit with linear history',
    ff: 'Fast-forward merge',
  },
  squash_option: {
    never: "Don't allow",
    always: 'Require',
    default_on: 'Encourage (on by default)',
    default_off: 'Allow (off by default)',
  },
  project_creation_level: { noone: 'No one', administrator: 'Administrators' },
  ci_pipeline_variables_minimum_override_role: { no_one_allowed: 'No one' },
  ci_execution: {
    auto: 'The CI/CD configuration, or outside executors without one',
    external: 'Outside executors',
    required: 'The CI/CD configuration',
  },
  ci_restrict_pipeline_cancellation_role: { no_one: 'No one' },
};

const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The label of an API value. */
export function formatChoice(name: string, choice: string): string {
  const labels = name.endsWith('_access_level') ? LEVELS : CHOICES[name];
  return labels?.[choice] ?? upperFirst(choice.replaceAll('_', ' '));
}

/** A default value as text. */
export function formatDefault(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  const list = [value].flat();
  if (list.length === 0 || value === '') return 'none';
  return list.map((one) => (typeof one === 'string' ? one : String(one))).join(', ');
}

/** Abbreviations in the API's descriptions for the roles and plans that a setting requires. */
const FOR_WHOM: readonly (readonly [RegExp, string])[] = [
  [/(?<=\. )Administrators; Premium\.$/, 'For administrators only. Requires the Premium plan.'],
  [/(?<=\. )Premium(?:; deprecated)?\.$/, 'Requires the Premium plan.'],
  [/(?<=\. )Owners\.$/, 'For Owners only.'],
  [/import_url/g, 'the URL below'],
];

/** The API's description of a setting, without the part that repeats its label. */
export function formatDocs(label: string, docs: string): string {
  const said = FOR_WHOM.reduce((text, [short, replacement]) => text.replace(short, replacement), docs);
  const repeats = said.startsWith(label) && /^[.,;]/.test(said.slice(label.length));
  return repeats ? upperFirst(said.slice(label.length + 1).trim()) : said;
}
