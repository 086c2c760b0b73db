import { readFileSync } from 'node:fs';

/** The pages of `/help` in the order in which they are read, by the names of their files in `api/help`. */
export const HELP_GROUPS = [
  { title: 'Get started', slugs: ['index', 'install', 'configuration', 'instance-settings', 'operate'] },
  {
    title: 'Use',
    slugs: [
      'projects-and-groups',
      'repositories',
      'schedules',
      'pipelines',
      'runners',
      'merge-requests',
      'planning',
      'discussions',
      'snippets-and-wikis',
      'deployments-and-dora',
      'packages',
      'archives',
    ],
  },
  {
    title: 'Administer',
    slugs: ['tokens', 'administration', 'project-and-group-settings', 'limits', 'security'],
  },
  { title: 'Integrate', slugs: ['api', 'clients', 'migrate-from-gitlab'] },
] as const;

/** A page as it is written, without what is generated from declarations. */
export interface HelpSource {
  slug: string;
  title: string;
  markdown: string;
}

/** What a page begins with. */
const TITLE = /^# (.+)\n/;

/** The page without a name of its own. */
const INDEX = 'index';

/** Where a page is. */
export const addressOfPage = (slug: string): string => (slug === INDEX ? '/help' : `/help/${slug}`);

/** Reads all pages, which the build copies beside the compiled sources: a build beneath a running service changes nothing of it. */
export const readHelpSources = (): ReadonlyMap<string, HelpSource> =>
  new Map(
    HELP_GROUPS.flatMap(({ slugs }) => slugs).map((slug) => {
      const markdown = readFileSync(new URL(`../../help/${slug}.md`, import.meta.url), 'utf8');
      const title = TITLE.exec(markdown)?.[1];
      if (title === undefined) throw new Error(`api/help/${slug}.md does not begin with a title.`);
      return [slug, { slug, title, markdown }];
    }),
  );
