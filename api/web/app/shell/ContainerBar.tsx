import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import type { Project } from '../../data/api.js';
import { compareOf } from '../routing/addresses/comparisons.js';
import { usePageActions } from '../palette/page-actions.js';
import type { PageAction } from '../palette/page-actions.js';
import { issuesOf } from '../routing/addresses/issues.js';
import { newRequestOf } from '../routing/addresses/merge-requests.js';
import { newScheduleOf } from '../routing/addresses/pipeline-schedules.js';
import { groupQuery, projectQuery } from '../../data/containers.js';
import { useSession } from '../../data/session.js';
import { containerAt, pageOfPath, pageOf } from '../routing/addresses/containers.js';
import type { ContainerLocation } from '../routing/addresses/containers.js';
import styles from './ContainerBar.module.css';
import { pathKindQuery } from '../../data/path-kind.js';

const MAINTAINER = 40;

/** Whether somebody's direct role in a project, or the one by its group, is at least Maintainer. */
const maintains = ({ permissions }: Project): boolean =>
  Math.max(permissions?.project_access?.access_level ?? 0, permissions?.group_access?.access_level ?? 0) >= MAINTAINER;

interface Item {
  page: string;
  label: string;
  /** Pages that belong to it besides its own. */
  also?: readonly string[];
  to?: string;
}

const CODE: readonly Item[] = [
  { page: 'tree', label: 'Files', also: ['blob', 'blame'] },
  { page: 'commits', label: 'Commits', also: ['commit', 'compare'] },
  { page: 'branches', label: 'Branches' },
  { page: 'tags', label: 'Tags' },
];

/** A switch of a project that the record does not tell is on. */
const open = (switched: boolean | undefined) => switched !== false;

/** What the menu of a project offers; what is switched off there, or not for the person, is left out. */
function itemsOfProject(path: string, project: Project, admin: boolean, signedIn: boolean): Item[] {
  const code = project.default_branch === undefined || project.empty_repo ? [] : CODE;
  const changes = admin || maintains(project);
  return [
    { page: '', label: 'Overview' },
    ...code,
    ...(open(project.issues_enabled)
      ? [
          { page: 'issues', label: 'Issues' },
          { page: 'boards', label: 'Boards' },
        ]
      : []),
    ...(open(project.merge_requests_enabled) ? [{ page: 'merge_requests', label: 'Merge requests' }] : []),
    ...(open(project.issues_enabled) || open(project.merge_requests_enabled)
      ? [{ page: 'milestones', label: 'Milestones' }]
      : []),
    ...(open(project.jobs_enabled)
      ? [
          { page: 'pipelines', label: 'Pipelines', also: ['jobs'] },
          { page: 'pipeline_schedules', label: 'Schedules' },
        ]
      : []),
    ...(open(project.snippets_enabled) ? [{ page: 'snippets', label: 'Snippets' }] : []),
    ...(open(project.packages_enabled) ? [{ page: 'packages', label: 'Packages' }] : []),
    { page: 'environments', label: 'Environments' },
    ...(signedIn ? [{ page: 'dora', label: 'Metrics' }] : []),
    { page: 'project_members', label: 'Members' },
    ...(changes ? [{ page: 'edit', label: 'Settings', also: ['settings', 'audit_events'], to: `/${path}/edit` }] : []),
  ];
}

function itemsOfGroup(signedIn: boolean, changes: boolean): Item[] {
  return [
    { page: '', label: 'Overview' },
    { page: 'epics', label: 'Epics' },
    { page: 'boards', label: 'Boards' },
    { page: 'milestones', label: 'Milestones' },
    { page: 'pipeline_schedules', label: 'Schedules' },
    ...(signedIn ? [{ page: 'dora', label: 'Metrics' }] : []),
    { page: 'group_members', label: 'Members' },
    ...(changes ? [{ page: 'edit', label: 'Settings', also: ['settings', 'audit_events'] }] : []),
  ];
}

/** Where one is in a project or group, and its other pages, above the page. The page alone where the address names neither. */
export default function WithBar({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const location = containerAt(pathname);
  return (
    <>
      {location && <Bar location={location} />}
      {children}
    </>
  );
}

function Bar({ location }: { location: ContainerLocation }) {
  const foundKind = useQuery({ ...pathKindQuery(location.path), enabled: location.kind === 'named' }).data;
  const kind = location.kind === 'named' ? (foundKind ?? null) : location.kind;
  return (
    <div className={styles.bar}>
      <nav aria-label="You are here">
        <ol className={styles.crumbs}>
          {crumbsOf(location.path).map(({ label, to }, index, all) => (
            <li key={to} className={styles.crumb}>
              <Link
                to={to}
                title={label}
                aria-current={index === all.length - 1 && location.page === '' ? 'page' : undefined}
              >
                {label}
              </Link>
            </li>
          ))}
        </ol>
      </nav>
      {kind === 'project' && <ProjectMenu location={location} />}
      {kind === 'group' && <GroupMenu location={location} />}
    </div>
  );
}

const crumbsOf = (path: string) =>
  path.split('/').map((label, index, all) => ({ label, to: pageOfPath(all.slice(0, index + 1).join('/')) }));

function ProjectMenu({ location }: { location: ContainerLocation }) {
  const person = useSession().data?.user ?? null;
  const { data: project, isPending } = useQuery(projectQuery(location.path));
  if (isPending) return <div className={`${styles.menu} ${styles.coming}`} />;
  if (!project) return null;
  const items = itemsOfProject(location.path, project, person?.is_admin ?? false, person !== null);
  const { path } = location;
  const makes: (PageAction | false)[] = [
    open(project.jobs_enabled) && { label: 'New schedule', to: newScheduleOf(path) },
    open(project.issues_enabled) && { label: 'New issue', to: issuesOf(path, 'new') },
    open(project.merge_requests_enabled) && { label: 'New merge request', to: newRequestOf(path) },
  ];
  const compares = items.some(({ page }) => page === 'commits');
  const actions = [
    ...(person ? makes.filter((action) => action !== false) : []),
    ...(compares ? [{ label: 'Compare branches', to: compareOf(path) }] : []),
  ];
  return <Menu key={location.page} kind="project" location={location} items={items} actions={actions} />;
}

/** What the record of a group holds for those alone who change it. */
const OWNER_FIELD = 'runners_token';

function GroupMenu({ location }: { location: ContainerLocation }) {
  const person = useSession().data?.user ?? null;
  const group = useQuery({ ...groupQuery(location.path), enabled: person !== null }).data;
  const items = itemsOfGroup(person !== null, group !== undefined && OWNER_FIELD in group);
  return <Menu key={location.page} kind="group" location={location} items={items} actions={[]} />;
}

/** Where the row is longer than the screen, the page that is looked at stands in it. */
function useScrollToCurrent() {
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    const current = row.current?.querySelector<HTMLElement>('[aria-current="page"]');
    if (row.current && current) row.current.scrollLeft = current.offsetLeft - row.current.offsetLeft - MARGIN;
  }, []);
  return row;
}

/** What stays in sight of the page before it. */
const MARGIN = 48;

interface MenuProps {
  kind: 'project' | 'group';
  location: ContainerLocation;
  items: readonly Item[];
  /** What the palette offers besides these pages. */
  actions: readonly PageAction[];
}

function Menu({ kind, location, items, actions }: MenuProps) {
  const row = useScrollToCurrent();
  const links = items.map((item) => ({ ...item, to: item.to ?? pageOf({ kind, path: location.path }, item.page) }));
  usePageActions([
    ...actions,
    { label: `Copy the path ${location.path}`, copy: location.path },
    ...links.map(({ label, to }) => ({ label, to })),
  ]);
  return (
    <nav ref={row} className={styles.menu} aria-label={kind === 'project' ? 'Project' : 'Group'}>
      <ul className={styles.items}>
        {links.map(({ page, label, also = [], to }) => (
          <li key={label}>
            <Link
              className={styles.item}
              to={to}
              aria-current={page === location.page || also.includes(location.page) ? 'page' : undefined}
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
