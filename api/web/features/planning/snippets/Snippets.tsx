import { useParams } from 'react-router';
import type { ContainerLocation } from '../../../app/routing/addresses/containers.js';
import { NotFound } from '../../../app/problems/NotFound.js';
import { NewSnippetPage } from './NewSnippetPage.js';
import { OwnSnippetList, ProjectSnippetList } from './SnippetList.js';
import { SnippetPage } from './SnippetPage.js';

interface SnippetsProps {
  /** Where it is of a project. */
  location?: ContainerLocation;
}

/** `/<project>/-/snippets` and `/-/snippets`, and below: a few files that are no project of their own. */
export default function Snippets({ location }: SnippetsProps) {
  const { id = '' } = useParams();
  const rest = location?.rest ?? id;
  const project = location?.path ?? null;
  if (rest === '') return project === null ? <OwnSnippetList /> : <ProjectSnippetList path={project} />;
  if (rest === 'new') return <NewSnippetPage project={project} />;
  if (!/^[1-9]\d{0,14}$/.test(rest)) return <NotFound />;
  return <SnippetPage key={rest} project={project} id={Number(rest)} />;
}
