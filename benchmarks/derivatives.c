/* Forward kinematics, Jacobian and Hessian of a frame on a tree, from the flat table: what the kernels are held to. */
#include <math.h>
#include <string.h>
#include <time.h>

enum { FIXED, REVOLUTE, PRISMATIC, MOST_ROWS = 64 };

/* One row per turn or slide, parents first; -1 where there is no parent or no degree of freedom. */
struct tree {
    int rows, dofs;
    const int *parent, *kind, *dof;
    const double *gain, *bias, *axis, *rest_position, *rest_rotation;
};

static void cross(const double *a, const double *b, double *out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Unit quaternions, w first. */
static void rotate(const double *q, const double *v, double *out)
{
    double t[3], u[3];
    cross(q + 1, v, t);
    for (int k = 0; k < 3; k++)
        t[k] *= 2;
    cross(q + 1, t, u);
    for (int k = 0; k < 3; k++)
        out[k] = v[k] + q[0] * t[k] + u[k];
}

static void multiply(const double *a, const double *b, double *out)
{
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    out[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    out[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

static void forward(const struct tree *tree, const double *angles, double (*position)[3], double (*rotation)[4])
{
    static const double origin[3] = {0}, identity[4] = {1, 0, 0, 0};
    for (int row = 0; row < tree->rows; row++) {
        const int parent = tree->parent[row], dof = tree->dof[row];
        const double *p = parent < 0 ? origin : position[parent], *q = parent < 0 ? identity : rotation[parent];
        const double *axis = tree->axis + 3 * row;
        const double value = dof < 0 ? 0 : tree->gain[row] * angles[dof] + tree->bias[row];
        double moved[3];
        rotate(q, tree->rest_position + 3 * row, moved);
        for (int k = 0; k < 3; k++)
            position[row][k] = p[k] + moved[k];
        multiply(q, tree->rest_rotation + 4 * row, rotation[row]);
        if (tree->kind[row] == REVOLUTE) {
            const double c = cos(0.5 * value), s = sin(0.5 * value);
            const double turn[4] = {c, s * axis[0], s * axis[1], s * axis[2]};
            double turned[4];
            multiply(rotation[row], turn, turned);
            memcpy(rotation[row], turned, sizeof turned);
        } else if (tree->kind[row] == PRISMATIC) {
            rotate(rotation[row], axis, moved);
            for (int k = 0; k < 3; k++)
                position[row][k] += value * moved[k];
        }
    }
}

/* jacobian [6][dofs] and hessian [6][dofs][dofs] of the origin of `row`. */
static void derivatives(const struct tree *tree, double (*position)[3], double (*rotation)[4], int row,
                        double *restrict jacobian, double *restrict hessian)
{
    double linear[MOST_ROWS][3], angular[MOST_ROWS][3], arm[3];
    const double *tip = position[row];
    int dofs[MOST_ROWS], count = 0;
    const int n = tree->dofs;
    memset(jacobian, 0, 6 * n * sizeof *jacobian);
    memset(hessian, 0, 6 * n * n * sizeof *hessian);
    for (; row >= 0; row = tree->parent[row]) {
        if (tree->dof[row] < 0)
            continue;
        rotate(rotation[row], tree->axis + 3 * row, angular[count]);
        for (int k = 0; k < 3; k++) {
            angular[count][k] *= tree->gain[row];
            arm[k] = tip[k] - position[row][k];
        }
        if (tree->kind[row] == REVOLUTE) {
            cross(angular[count], arm, linear[count]);
        } else {
            memcpy(linear[count], angular[count], sizeof linear[count]);
            memset(angular[count], 0, sizeof angular[count]);
        }
        dofs[count++] = tree->dof[row];
    }
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            jacobian[k * n + dofs[i]] += linear[i][k];
            jacobian[(3 + k) * n + dofs[i]] += angular[i][k];
        }
    for (int j = 0; j < count; j++)
        for (int i = 0; i <= j; i++) {
            double bent[3], turned[3];
            cross(angular[j], linear[i], bent);
            cross(angular[j], angular[i], turned);
            for (int k = 0; k < 3; k++) {
                hessian[(k * n + dofs[i]) * n + dofs[j]] += bent[k];
                hessian[((3 + k) * n + dofs[i]) * n + dofs[j]] += turned[k];
                if (i != j)
                    hessian[(k * n + dofs[j]) * n + dofs[i]] += bent[k];
            }
        }
}

/* Seconds of this process that `count` evaluations for all ends take, the answers for the last one being kept; each
   evaluation needs the one before, so that none can be left out. */
double time_derivatives(const struct tree *tree, const double *start, const int *ends, int end_count, long count,
                        double *restrict jacobian, double *restrict hessian)
{
    double angles[MOST_ROWS], position[MOST_ROWS][3], rotation[MOST_ROWS][4];
    struct timespec begin, now;
    memcpy(angles, start, tree->dofs * sizeof *start);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    for (long n = 0; n < count; n++) {
        forward(tree, angles, position, rotation);
        for (int end = 0; end < end_count; end++)
            derivatives(tree, position, rotation, ends[end], jacobian, hessian);
        for (int dof = 0; dof < tree->dofs; dof++)
            angles[dof] = start[dof] + 1e-3 * hessian[dof];
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)(now.tv_sec - begin.tv_sec) + 1e-9 * (double)(now.tv_nsec - begin.tv_nsec);
}
