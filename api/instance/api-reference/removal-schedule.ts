/*
 * The removal schedule (graphql.md section 8): deprecated items remain for six releases and are removed in a major
 * release. Maintained by hand, as data; tests compare it with the schemas.
 */

/** Releases of a major version: `18.0` to `18.11`. */
const MINORS = 12;

/** Releases that an item stays for, at least, from the one that deprecates it on. */
const STAYS = 6;

/** The next six releases. Only a major one removes anything. */
export const SCHEDULE = ['18.7', '18.8', '18.9', '18.10', '18.11', '19.0'] as const;

/**
 * Parameters and attributes of REST by the release that deprecated them, whatever record they are of. In GraphQL the
 * reason of a deprecation names its release.
 */
export const REST_DEPRECATED: Readonly<Record<string, string>> = {
  access_raw_diffs: '15.7',
  allow_maintainer_to_push: '16.0',
  approvals_before_merge: '16.0',
  assignee_id: '13.0',
  builds_enabled: '14.0',
  confidential: '15.5',
  container_registry_enabled: '14.0',
  default_branch_protection: '17.0',
  emails_disabled: '16.5',
  issues_enabled: '14.0',
  jobs_enabled: '14.0',
  marked_for_deletion_at: '17.0',
  merge_requests_enabled: '14.0',
  merge_status: '15.6',
  merge_when_pipeline_succeeds: '17.11',
  merged_by: '14.7',
  name_regex: '12.9',
  namespace: '13.0',
  packages_enabled: '17.10',
  public_builds: '16.9',
  reference: '12.7',
  required_approval_count: '16.1',
  requirements_enabled: '14.0',
  restrict_user_defined_variables: '17.7',
  security_and_compliance_enabled: '14.0',
  snippets_enabled: '14.0',
  tag_list: '14.0',
  wiki_enabled: '14.0',
  work_in_progress: '14.0',
};

const getParts = (release: string) => release.split('.').map(Number) as [major: number, minor: number];

/** Number of a release in the order of all. */
const rank = (release: string): number => {
  const [major, minor] = getParts(release);
  return major * MINORS + minor;
};

/**
 * The release that removes what another one deprecated: a major one, six or more releases later, and none that is past.
 * @param since `X.Y`
 */
export function getRemoval(since: string): string {
  const earliest = Math.max(rank(since) + STAYS, rank(SCHEDULE[0]));
  return `${Math.ceil(earliest / MINORS)}.0`;
}
