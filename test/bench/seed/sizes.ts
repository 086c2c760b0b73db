/** How much of everything a dataset has. */
export interface Sizes {
  users: number;
  groups: number;
  projects: number;
  groupMembers: number;
  /** Of projects in groups; the owners of personal projects come on top. */
  projectMembers: number;
  stars: number;
  topics: number;
  projectShares: number;
  groupShares: number;
  /** In a tenth of the projects. */
  schedules: number;
  /** Projects with 5,000 branches and 10,000 tags each. */
  refProjects: number;
  /** With three labels each. */
  issues: number;
  /** Projects of one group, with three tenths of all issues. */
  planningProjects: number;
  /** Projects elsewhere, with all others. */
  issueProjects: number;
  issueLinks: number;
  milestones: number;
  /** Of the projects of the one group, with {@link VERSIONS} versions each. */
  mergeRequests: number;
  /** Projects of another group, which deploy every day. */
  busyProjects: number;
  /** Of all of them together. */
  deployments: number;
  incidents: number;
  mergedRequests: number;
  /** Without their bytes. */
  packageFiles: number;
  /** On issues, in all. */
  notes: number;
  threads: number;
  /** Of one issue. */
  busyNotes: number;
  /** Half of them of one project. */
  events: number;
  /** A twentieth of them of one group. */
  epics: number;
  /** In addition to the one that every project and group has. */
  boards: number;
  /** Half of them of projects. */
  snippets: number;
}

/** Versions of a merge request. */
export const VERSIONS = 5;

/** An instance of some size: at scale 1 it has 100,000 projects and 300,000 memberships. */
export function getSizes(scale: number): Sizes {
  const of = (count: number) => Math.max(1, Math.round(count * scale));
  return {
    users: of(50_000),
    groups: of(20_000),
    // Every fourth belongs to a personal namespace.
    projects: of(25_000) * 4,
    groupMembers: of(120_000),
    projectMembers: of(155_000),
    stars: of(150_000),
    topics: Math.max(20, of(400)),
    projectShares: of(2_000),
    groupShares: of(500),
    schedules: of(25_000) * 4,
    refProjects: of(10),
    issues: of(1_000_000),
    planningProjects: of(1_000),
    issueProjects: of(10_000),
    issueLinks: of(200_000),
    milestones: of(100_000),
    mergeRequests: of(100_000),
    busyProjects: of(1_000),
    deployments: of(2_000_000),
    incidents: of(200_000),
    mergedRequests: of(500_000),
    packageFiles: of(50_000),
    notes: of(1_000_000),
    threads: of(600_000),
    busyNotes: of(5_000),
    events: of(2_000_000),
    epics: of(20_000),
    boards: of(10_000),
    snippets: of(50_000),
  };
}

/** Ids start above this: records created at the first start retain theirs. */
export const BASE = 1000;
export const userId = (number: number): number => BASE + number;
/** Namespaces are the users' own, then the groups. */
export const groupId = (sizes: Sizes, number: number): number => BASE + sizes.users + number;
export const projectId = (number: number): number => BASE + number;

/** The start of the dataset's time; everything in it was created in the three years after. */
export const EPOCH = `timestamptz '2026-01-01T00:00:00Z'`;

/** Part of a dataset: named statements, executed in order on one connection. */
export interface Part {
  name: string;
  statements: (sizes: Sizes) => string[];
}
