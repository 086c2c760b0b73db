import { blamePath, commitsPath, filePath, treePath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import type { Project } from '../../../data/api.js';
import { Page } from '../../../ui/Page.js';
import { Select } from '../../../ui/Select.js';
import { LoadingRows } from '../../../ui/Table.js';
import { Absent } from '../../../app/problems/Absent.js';
import { projectQuery } from '../../../data/containers.js';
import styles from './AtRef.module.css';
import { branchNamesQuery, refPathQuery } from './queries.js';
import type { RefPath } from './raw.js';

/** The project, ref and path of a repository page. */
export interface RefLocation extends RefPath {
  project: Project;
  path: string;
}

/** Parameters of the address of such a page. */
export interface RefPathParams {
  path: string;
  /** A ref and a path in the repository; empty for the default branch. */
  rest: string;
}

/** Finds the project, ref and path that an address names, then draws the page. */
export function AtRef({ path, rest, children }: RefPathParams & { children: (at: RefLocation) => ReactNode }) {
  const found = useQuery(projectQuery(path));
  const branch = found.data?.default_branch;
  const at = useQuery({ ...refPathQuery(path, rest, branch), enabled: found.data !== undefined });
  const error = found.error ?? at.error;
  if (error && !at.data) return <Absent what="Repositories" error={error} retry={() => void found.refetch()} />;
  if (!found.data || !at.data)
    return (
      <Page title="Files">
        <LoadingRows label="Loading the page" rows={6} />
      </Page>
    );
  return children({ project: found.data, path: found.data.path_with_namespace, ...at.data });
}

const PATHS = { tree: treePath, blob: filePath, blame: blamePath, commits: commitsPath };

/** The folders above a path, each with its address, and the branch to look at instead. */
export function WhereInTree({ at, page }: { at: RefLocation; page: 'tree' | 'blob' | 'blame' | 'commits' }) {
  const { path, ref, file } = at;
  const navigate = useNavigate();
  const branches = useQuery(branchNamesQuery(path)).data ?? [];
  const parts = file === '' ? [] : file.split('/');
  const to = (name: string, below: string, kind: keyof typeof PATHS) =>
    PATHS[kind](path, below === '' ? name : `${name}/${below}`);
  return (
    <div className={styles.where}>
      <Select
        label="Branch or tag"
        name="ref"
        choices={branches.includes(ref) ? branches : [ref, ...branches]}
        value={ref}
        onChoose={(name) => void navigate(to(name, file, page))}
      />
      <nav className={styles.parts} aria-label="Path">
        <Link to={to(ref, '', page === 'commits' ? 'commits' : 'tree')}>{at.project.path}</Link>
        {parts.map((part, index) => (
          <span key={parts.slice(0, index + 1).join('/')} className={styles.part}>
            <span aria-hidden>/</span>
            {index === parts.length - 1 ? (
              <span>{part}</span>
            ) : (
              <Link to={to(ref, parts.slice(0, index + 1).join('/'), page === 'commits' ? 'commits' : 'tree')}>
                {part}
              </Link>
            )}
          </span>
        ))}
      </nav>
    </div>
  );
}
