import { Link } from 'react-router';
import { addressOfPage } from './address.js';

interface HelpLinkProps {
  /** The page of the help, and a section of it. */
  page: string;
  section?: string;
}

/** Leads to what the help says of what stands beside it. */
export function HelpLink({ page, section }: HelpLinkProps) {
  return <Link to={addressOfPage(page, section)}>Learn more</Link>;
}
