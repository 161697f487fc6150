/** `page` counts from 1, and 0 means 1. */
export const slice = ({
  page,
  page_size: size,
}: {
  page: number;
  page_size: number;
}): { limit: number; offset: number } => ({
  limit: size,
  offset: (Math.max(1, page) - 1) * size,
});
