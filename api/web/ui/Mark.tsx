/** The service's logo: a capstan from above. It is always displayed next to the name. */
export function Mark({ size = 24 }: { size?: number }) {
  return <img src={`${import.meta.env.BASE_URL}mark.svg`} width={size} height={size} alt="" />;
}
