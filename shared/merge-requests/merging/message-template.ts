/** Values of a template's variables, by their names; null, or nothing but spaces, is an empty one. */
export type TemplateValues = Readonly<Record<string, () => string | null>>;

const VARIABLE = /%\{([a-z_]+)\}/g;

/**
 * Replaces the variables of a message template, such as `%{title}`. Unknown variables remain as text. An empty variable
 * that is alone on its line is removed together with the empty lines above it. Values are not searched for variables.
 */
export function fillTemplate(template: string, values: TemplateValues): string {
  const texts = new Map<string, string>();
  const text = template.replaceAll('\r', '');
  for (const [, name = ''] of text.matchAll(VARIABLE))
    if (Object.hasOwn(values, name) && !texts.has(name)) texts.set(name, values[name]!() ?? '');
  const isEmpty = (name: string) => texts.get(name)?.trim() === '';
  const lines = text.split('\n').reduce<string[]>((output, line, index) => {
    const name = /^%\{([a-z_]+)\}$/.exec(line)?.[1];
    if (name === undefined || !isEmpty(name)) return [...output, line];
    while (index > 0 && output.at(-1) === '') output.pop();
    return output;
  }, []);
  return lines.join('\n').replace(VARIABLE, (whole: string, name: string) => texts.get(name) ?? whole);
}

/** A person as commits name them. */
export interface Signature {
  readonly name: string;
  readonly email: string;
}

const signed = ({ name, email }: Signature): string => `${name} <${email}>`;

const trailers = (key: string, people: readonly Signature[]): string =>
  people.map((person) => `${key}: ${signed(person)}`).join('\n');

/** `a, b, and c`. */
function sentence(parts: readonly string[]): string {
  if (parts.length <= 2) return parts.join(' and ');
  return `${parts.slice(0, -1).join(', ')}, and ${parts.at(-1)}`;
}

/** A commit of a merge request, with the fields used in messages. */
export interface DescribedCommit {
  readonly title: string;
  readonly message: string;
  readonly author_name: string;
  readonly author_email: string;
  readonly parent_ids: readonly string[];
}

/** The fields of a merge request used in messages. */
export interface DescribedMergeRequest {
  readonly title: string;
  readonly description: string | null;
  readonly source_branch: string;
  readonly target_branch: string;
  readonly source_project_id: number | null;
  /** `group/project!1` and `!1`. */
  readonly reference: string;
  readonly local_reference: string;
  readonly url: string;
  /** The issues that it closes, as its project refers to them. */
  readonly issues: readonly string[];
  readonly author: Signature | null;
  readonly merged_by: Signature;
  readonly approved_by: readonly Signature[];
  readonly reviewed_by: readonly Signature[];
  /** The newest of its commits, the oldest of them first. */
  readonly commits: readonly DescribedCommit[];
}

/** The size in bytes above which only the title of a message is included. */
const LONG_MESSAGE = 100 * 1024;

function formatCommit({ title, message }: DescribedCommit): string {
  const whole = Buffer.byteLength(message) <= LONG_MESSAGE;
  return `* ${whole ? message.trim() : `${title}\n\n-- Skipped commit body exceeding 100KiB in size.`}`;
}

const isMerge = ({ parent_ids: parents }: DescribedCommit): boolean => parents.length > 1;

function firstOfManyLines({ commits }: DescribedMergeRequest): string | null {
  const found = commits.find((commit) => !isMerge(commit) && commit.message.trim().includes('\n'));
  return found ? found.message.trim() : null;
}

function coAuthors({ commits }: DescribedMergeRequest, of: Signature | null): Signature[] {
  const names = new Map(commits.map(({ author_email: email, author_name: name }) => [email, name]));
  if (of) names.delete(of.email);
  return [...names].map(([email, name]) => ({ name, email }));
}

/** The variables of merge and squash commit messages that the public API documents. */
function getValues(described: DescribedMergeRequest, { squash }: { squash: boolean }): TemplateValues {
  const { author, commits, issues, merged_by: mergedBy } = described;
  return {
    source_branch: () => described.source_branch,
    target_branch: () => described.target_branch,
    title: () => described.title,
    description: () => described.description,
    issues: () => (issues.length === 0 ? null : `Closes ${sentence(issues)}`),
    reference: () => described.reference,
    local_reference: () => described.local_reference,
    source_project_id: () => String(described.source_project_id ?? ''),
    url: () => described.url,
    first_commit: () => commits[0]?.message.trim() ?? null,
    first_multiline_commit: () => firstOfManyLines(described) ?? described.title,
    first_multiline_commit_description: () => firstOfManyLines(described)?.split('\n').slice(1).join('\n').trim() ?? '',
    all_commits: () =>
      commits
        .filter((commit) => !isMerge(commit))
        .map(formatCommit)
        .join('\n\n'),
    co_authored_by: () => trailers('Co-authored-by', coAuthors(described, squash ? author : mergedBy)),
    reviewed_by: () => trailers('Reviewed-by', described.reviewed_by),
    approved_by: () => trailers('Approved-by', described.approved_by),
    merged_by: () => signed(mergedBy),
    merge_request_author: () => (author ? signed(author) : null),
  };
}

const MERGE_TEMPLATE = `Merge branch '%{source_branch}' into '%{target_branch}'

%{title}

%{issues}

See merge request %{reference}`;

/** The message of a merge commit, by the project's template or the public product's own. */
export function mergeMessage(described: DescribedMergeRequest, template: string | null): string {
  return fillTemplate(template || MERGE_TEMPLATE, getValues(described, { squash: false }));
}

/** The message of a commit that a merge request's commits become, by the project's template, else its title. */
export function squashMessage(described: DescribedMergeRequest, template: string | null): string {
  return fillTemplate(template || '%{title}', getValues(described, { squash: true }));
}

/** The fields used in messages for suggestions that are applied together. */
export interface DescribedSuggestions {
  readonly branch_name: string;
  readonly project_path: string;
  readonly project_name: string;
  readonly file_paths: readonly string[];
  readonly username: string;
  readonly user_full_name: string;
  readonly suggestions_count: number;
  /** The authors of the suggestions, other than the user who applies them. */
  readonly co_authors: readonly Signature[];
}

const SUGGESTION_TEMPLATE = 'Apply %{suggestions_count} suggestion(s) to %{files_count} file(s)\n\n%{co_authored_by}';

/**
 * The message of a commit that applies suggestions, by the project's template or the public product's own.
 * @public
 */
export function suggestionMessage(described: DescribedSuggestions, template: string | null): string {
  return fillTemplate(template || SUGGESTION_TEMPLATE, {
    branch_name: () => described.branch_name,
    files_count: () => String(described.file_paths.length),
    file_paths: () => sentence(described.file_paths),
    project_path: () => described.project_path,
    project_name: () => described.project_name,
    user_full_name: () => described.user_full_name,
    username: () => described.username,
    suggestions_count: () => String(described.suggestions_count),
    co_authored_by: () => trailers('Co-authored-by', described.co_authors),
  });
}
