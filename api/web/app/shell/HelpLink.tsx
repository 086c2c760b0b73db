import { Link } from 'react-router';
import { helpPath } from '../routing/paths.js';

interface HelpLinkProps {
  /** The page of the help, and a section of it. */
  page: string;
  section?: string;
}

/** A link to the documentation of what it stands next to. */
export const HelpLink = ({ page, section }: HelpLinkProps) => <Link to={helpPath(page, section)}>Learn more</Link>;
