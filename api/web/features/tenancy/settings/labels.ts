const LEVELS: Readonly<Record<string, string>> = {
  disabled: 'Nobody',
  private: 'Members of the project',
  enabled: 'Everyone who sees the project',
  public: 'Everyone',
};

const CHOICES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  merge_method: {
    merge: 'Merge commit',
    rebase_merge: 'Merge commit with linear history',
    ff: 'Fast-forward merge',
  },
  squash_option: {
    never: 'Do not allow',
    always: 'Require',
    default_on: 'Encourage: on unless chosen otherwise',
    default_off: 'Allow: off unless chosen otherwise',
  },
  project_creation_level: { noone: 'Nobody', administrator: 'Administrators' },
  ci_pipeline_variables_minimum_override_role: { no_one_allowed: 'Nobody' },
  ci_restrict_pipeline_cancellation_role: { no_one: 'Nobody' },
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
  [/(?<=\. )Administrators; Premium\.$/, 'For administrators alone. Needs the plan Premium.'],
  [/(?<=\. )Premium(?:; deprecated)?\.$/, 'Needs the plan Premium.'],
  [/(?<=\. )Owners\.$/, 'For Owners alone.'],
  [/import_url/g, 'the URL below'],
];

/** The API's description of a setting, without the part that repeats its label. */
export function formatDocs(label: string, docs: string): string {
  const said = FOR_WHOM.reduce((text, [short, replacement]) => text.replace(short, replacement), docs);
  const repeats = said.startsWith(label) && /^[.,;]/.test(said.slice(label.length));
  return repeats ? upperFirst(said.slice(label.length + 1).trim()) : said;
}
