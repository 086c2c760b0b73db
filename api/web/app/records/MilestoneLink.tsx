import { recordPath } from '../routing/paths.js';
import { Link } from 'react-router';
import type { Schemas } from '#api';
import { UnbrokenText } from '../../ui/UnbrokenText.js';

/** The way to a milestone, of the project or of a group above it. */
export function MilestoneLink({ milestone: { title, web_url: url } }: { milestone: Schemas['Milestone'] }) {
  return (
    <Link to={recordPath(url)}>
      <UnbrokenText>{title}</UnbrokenText>
    </Link>
  );
}
