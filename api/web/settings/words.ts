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
};

const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** A word of the API in the words of a page. */
export function choiceWords(name: string, choice: string): string {
  const words = name.endsWith('_access_level') ? LEVELS : CHOICES[name];
  return words?.[choice] ?? upperFirst(choice.replaceAll('_', ' '));
}

/** A default in words. */
export function defaultWords(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  const list = [value].flat();
  if (list.length === 0 || value === '') return 'none';
  return list.map((one) => (typeof one === 'string' ? one : String(one))).join(', ');
}
