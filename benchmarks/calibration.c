/* Forward kinematics of a 7-joint chain, the yardstick every time is also stated in. */
#include <math.h>
#include <string.h>
#include <time.h>

enum { JOINTS = 7 };

/* Where a joint sits on the one before: a rotation, row by row, and a place in metres.  It turns about its own Z. */
struct rest {
    double rotation[9], place[3];
};

static void forward(const struct rest *chain, const double *angles, double *rotation, double *place)
{
    double r[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, p[3] = {0, 0, 0};
    for (int joint = 0; joint < JOINTS; joint++) {
        const double *rest = chain[joint].rotation, *t = chain[joint].place;
        const double c = cos(angles[joint]), s = sin(angles[joint]);
        for (int i = 0; i < 3; i++) {
            const double x = r[3 * i], y = r[3 * i + 1], z = r[3 * i + 2];
            const double u = x * rest[0] + y * rest[3] + z * rest[6], v = x * rest[1] + y * rest[4] + z * rest[7];
            p[i] += x * t[0] + y * t[1] + z * t[2];
            r[3 * i] = c * u + s * v;
            r[3 * i + 1] = c * v - s * u;
            r[3 * i + 2] = x * rest[2] + y * rest[5] + z * rest[8];
        }
    }
    memcpy(rotation, r, sizeof r);
    memcpy(place, p, sizeof p);
}

/* Seconds that `count` evaluations take; each one needs the one before, so that none can be left out. */
double time_forward(long count, double *checksum)
{
    struct rest chain[JOINTS];
    double angles[JOINTS] = {0}, rotation[9], place[3] = {0};
    struct timespec begin, now;
    for (int joint = 0; joint < JOINTS; joint++) {
        const double c = cos(1.0 + joint), s = sin(1.0 + joint);
        const struct rest rest = {{1, 0, 0, 0, c, -s, 0, s, c}, {0.01 * joint, 0, 0.2}};
        chain[joint] = rest;
    }
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (long n = 0; n < count; n++) {
        for (int joint = 0; joint < JOINTS; joint++)
            angles[joint] = 0.4 * joint - 1.0 + 0.1 * place[joint % 3];
        forward(chain, angles, rotation, place);
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    *checksum = place[0] + rotation[0];
    return (double)(now.tv_sec - begin.tv_sec) + 1e-9 * (double)(now.tv_nsec - begin.tv_nsec);
}
