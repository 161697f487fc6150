/** Whether anything takes AI points: while nothing does, packages of points are not shown among the memberships. */
export const POINTS_USABLE: boolean = false;

/** Said wherever points are sold: nothing takes them. */
export const POINTS_NOT_YET = 'AI 解读目前没有开放，不需要购买点数。';
