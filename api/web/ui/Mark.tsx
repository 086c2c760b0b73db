/** The service's sign: a capstan from above. The word stands beside it wherever it is shown. */
export function Mark({ size = 24 }: { size?: number }) {
  return <img src={`${import.meta.env.BASE_URL}mark.svg`} width={size} height={size} alt="" />;
}
