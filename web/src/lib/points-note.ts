/** Whether anything takes AI points: while nothing does, packages of points are not shown among the memberships. */
export const POINTS_USABLE: boolean = false;

/** Said wherever points are sold: nothing takes them yet. */
export const POINTS_NOT_YET = 'AI 解读即将上线，暂不需要购买点数。';
