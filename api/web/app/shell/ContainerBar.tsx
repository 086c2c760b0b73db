import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { groupQuery, projectQuery } from '../../data/containers.js';
import { pathKindQuery } from '../../data/path-kind.js';
import { useSession } from '../../data/session.js';
import { usePageActions } from '../palette/page-actions.js';
import { useMenu } from '../routing/menu.js';
import type { MenuEntry } from '../routing/menu.js';
import { namespacePath } from '../routing/paths.js';
import { useRouteMatch } from '../routing/router.js';
import type { RouteMatch } from '../routing/router.js';
import styles from './ContainerBar.module.css';

/** The breadcrumbs and menu of a project or group above its pages. */
export default function WithBar({ children }: { children: ReactNode }) {
  const container = useRouteMatch()?.container;
  return (
    <>
      {container && <Bar container={container} />}
      {children}
    </>
  );
}

function Bar({ container }: { container: NonNullable<RouteMatch['container']> }) {
  const { kind: routeKind, path } = container;
  const foundKind = useQuery({ ...pathKindQuery(path), enabled: routeKind === 'named' }).data;
  const kind = routeKind === 'named' ? (foundKind ?? null) : routeKind;
  return (
    <div className={styles.bar}>
      <Breadcrumbs path={path} />
      {kind === 'project' && <ProjectMenu path={path} />}
      {kind === 'group' && <GroupMenu path={path} />}
    </div>
  );
}

function Breadcrumbs({ path }: { path: string }) {
  const pattern = useRouteMatch()?.route.path;
  const isOverview = pattern === '/:path+' || pattern === '/groups/:path+';
  const segments = path.split('/');
  return (
    <nav aria-label="Breadcrumb">
      <ol className={styles.crumbs}>
        {segments.map((label, index) => {
          const to = namespacePath(segments.slice(0, index + 1).join('/'));
          const isCurrent = isOverview && index === segments.length - 1;
          return (
            <li key={to} className={styles.crumb}>
              <Link to={to} title={label} aria-current={isCurrent ? 'page' : undefined}>
                {label}
              </Link>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

function ProjectMenu({ path }: { path: string }) {
  const { data: project, isPending } = useQuery(projectQuery(path));
  const entries = useMenu('project', path, { project });
  const actions = useMenu('actions', path, { project });
  if (isPending) return <div className={`${styles.menu} ${styles.coming}`} />;
  return project ? <Menu label="Project" path={path} entries={entries} actions={actions} /> : null;
}

function GroupMenu({ path }: { path: string }) {
  const person = useSession().data?.user ?? null;
  const group = useQuery({ ...groupQuery(path), enabled: person !== null }).data;
  return <Menu label="Group" path={path} entries={useMenu('group', path, { group })} actions={[]} />;
}

/** Scrolls a row that is wider than the screen to the entry of the current page. */
function useScrollToCurrent() {
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    const current = row.current?.querySelector<HTMLElement>('[aria-current="page"]');
    if (row.current && current) row.current.scrollLeft = current.offsetLeft - row.current.offsetLeft - MARGIN;
  }, []);
  return row;
}

/** Part of the previous entry that stays visible, in pixels. */
const MARGIN = 48;

interface MenuProps {
  label: string;
  path: string;
  entries: readonly MenuEntry[];
  /** Commands that the palette offers in addition to these pages. */
  actions: readonly MenuEntry[];
}

function Menu({ label, path, entries, actions }: MenuProps) {
  const row = useScrollToCurrent();
  usePageActions([
    ...actions.map(({ label: action, to }) => ({ label: action, to })),
    { label: `Copy the path ${path}`, copy: path },
    ...entries.map(({ label: page, to }) => ({ label: page, to })),
  ]);
  return (
    <nav ref={row} className={styles.menu} aria-label={label}>
      <ul className={styles.items}>
        {entries.map(({ label: page, to, current }) => (
          <li key={to}>
            <Link className={styles.item} to={to} aria-current={current ? 'page' : undefined}>
              {page}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
